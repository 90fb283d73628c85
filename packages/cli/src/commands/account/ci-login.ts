import { EXCHANGE_GRANT, oauth_token, subjectTokenTypes } from '@mooring/contract';
import { explainUnreachable, openConnection } from '../../connection/connection.ts';
import type { Environment } from '../../environment.ts';
import { Failure, wrongUsage } from '../../framework/errors.ts';

const noIdToken = (): Failure =>
  wrongUsage(
    'This job has no ID token.',
    'GitHub Actions: set "permissions: id-token: write". GitLab: set MOORING_ID_TOKEN under id_tokens.',
  );

/** The request token must not leave the machine unencrypted. */
function readRequestUrl(text: string, server: string): URL {
  const url = URL.parse(text);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  if (!url || !(url.protocol === 'https:' || isLocal)) {
    throw new Failure('ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL.', {
      advice: 'Run the command in a job of GitHub Actions.',
    });
  }
  // Of the server that the user named: another server must not choose the audience, as it could use the token elsewhere.
  url.searchParams.set('audience', server);
  return url;
}

/** The ID token of this job: GitLab passes it, GitHub Actions issues one for each request. */
async function readIdToken(server: string, env: Environment): Promise<string> {
  if (env.MOORING_ID_TOKEN) return env.MOORING_ID_TOKEN;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (!address || !token) throw noIdToken();
  const url = readRequestUrl(address, server);
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error' });
    const { value } = (await response.json()) as { value?: unknown };
    if (response.ok && typeof value === 'string') return value;
    throw new Failure(`GitHub Actions issued no ID token (status ${response.status}).`, {
      advice: 'Check "permissions: id-token: write" of the job.',
    });
  } catch (error) {
    throw explainUnreachable(error, url.origin);
  }
}

/** Exchanges the ID token of this job for a token of the app, which is valid for 15 minutes. */
export async function signInByIdToken(server: string, app: string, env: Environment): Promise<{ token: string }> {
  const call = openConnection({ server });
  const body = {
    grant_type: EXCHANGE_GRANT,
    subject_token: await readIdToken(server, env),
    subject_token_type: subjectTokenTypes[0],
    audience: app,
  };
  const { access_token } = await call(oauth_token, { body });
  return { token: access_token };
}
