import Joi from 'joi';
import { text } from '../../schemas/text';

/** What a browser signs in with (studio API "Signing in"). */
export const signInRequest = Joi.object({ token: text(1, 200).required().description('a studio token, `lps_…`') });

export interface SignInRequest {
  token: string;
}
