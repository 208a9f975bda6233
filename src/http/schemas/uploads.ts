import Joi from 'joi';
import { LIMITS, UPLOAD_CONTENT_TYPES, type UploadContentType } from '../../domain/limits';
import { integer, oneOf, text } from './text';

/** Body of `POST /uploads` (specification "POST /uploads"). */
export const uploadRequest = Joi.object({
  filename: text(1, 1024).required().description("for its extension and the studio's records"),
  contentType: oneOf(UPLOAD_CONTENT_TYPES).required(),
  sizeBytes: integer(1, LIMITS.uploadBytes).required().description('the exact length'),
});

export interface UploadRequest {
  filename: string;
  contentType: UploadContentType;
  sizeBytes: number;
}
