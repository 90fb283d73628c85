import { ApiError, type Client, createClient } from '@mooring/contract';
import { Failure, wrongUsage } from './framework/errors.ts';

export interface Credential {
  server: string;
  token?: string;
  /** Name or e-mail and password, for the operations that make the first token. */
  basic?: { user: string; password: string };
}

const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** It may answer again if it is asked later. */
export class Unreachable extends Failure {}

/** Says why a server could not be spoken to, and what would help. */
export function explainUnreachable(error: unknown, server: string): unknown {
  if (error instanceof SyntaxError) return notMooring(server);
  if (!(error instanceof TypeError) || !error.cause) return error;
  const { code = '', message = '' } = error.cause as NodeJS.ErrnoException;
  if (untrusted.has(code)) {
    return new Failure(`The certificate of ${server} is signed by an authority that this machine does not know.`, {
      advice: "If the server made it itself, set NODE_EXTRA_CA_CERTS to the server's ca.crt; it prints where that is.",
    });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new Failure(`The certificate of ${server} is for another name.`, {
      advice: 'Use the name that the certificate was made for.',
    });
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new Failure(`${server} does not speak TLS.`, { advice: 'Does its address begin with http:// ?' });
  }
  return new Unreachable(`${server} cannot be reached (${code || message}).`, {
    advice: 'Check the address, the network, and that the server is running.',
  });
}

const notMooring = (server: string): Failure =>
  new Failure(`${server} does not answer like a Mooring server.`, { advice: 'Check the address.' });

/** A client whose failures say what to do next. */
export function openConnection({ server, token, basic }: Credential): Client {
  // An invalid header would be refused with a message that quotes the token.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw wrongUsage('The token has characters that no token has.');
  const authorization = basic && `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString('base64')}`;
  const client = createClient({
    baseUrl: server,
    token,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), ...(authorization ? { authorization } : {}) },
        // Following would carry the token to wherever the answer points.
        redirect: 'manual',
      }),
  });
  return async (spec, ...input) => {
    try {
      const answer = await client(spec, ...input);
      const { response } = spec;
      const isMissing = answer === undefined && response.kind === 'json' && response.mayBeEmpty === undefined;
      if (isMissing) throw notMooring(server);
      return answer;
    } catch (error) {
      throw error instanceof ApiError ? error : explainUnreachable(error, server);
    }
  };
}
