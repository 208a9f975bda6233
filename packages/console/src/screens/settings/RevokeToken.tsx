import { ask, studio } from '../../api/studio';
import type { Of } from '../../api/types';
import { useSession } from '../../session/session';
import { Action } from '../../shared/action';

/** Ends a token: what it was used for stops. */
export function RevokeToken({ token: { id, name } }: { token: Of<'Token'> }) {
  const isOwn = useSession().name === name;
  return (
    <Action
      label="Revoke"
      to={name}
      title={`Revoke ${name}`}
      says={[
        'The next request with it is refused: programs that use it stop working, and whoever signed in with it is signed out.',
        'What was done with it stays, under its name. It cannot be taken back; another can be made.',
        ...(isOwn ? ['Your own sign-in has this name: if it is this token, you are signed out at once.'] : []),
      ]}
      repeats="safely"
      run={() => ask(studio.DELETE('/tokens/{id}', { params: { path: { id } } }))}
      done={() => `${name} is revoked`}
      danger
    />
  );
}
