import { ApiError, type Client, createClient, SECOND_FACTOR_HEADER } from '@mooring/contract';
import { Failure, wrongUsage } from '../framework/errors.ts';

export interface Credential {
  server: string;
  token?: string;
  /** Name or email, and password; used to create the first token. The code is of the second factor, if there is one. */
  basic?: { user: string; password: string; code?: string };
}

const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** A temporary error: the same request may succeed later. */
export class Unreachable extends Failure {}

/** Converts a network error to a message with a cause and a remedy. */
export function explainUnreachable(error: unknown, server: string): unknown {
  if (error instanceof SyntaxError) return notMooring(server);
  if (!(error instanceof TypeError) || !error.cause) return error;
  const { code = '', message = '' } = error.cause as NodeJS.ErrnoException;
  if (untrusted.has(code)) {
    return new Failure(`This machine doesn't trust the certificate of ${server}.`, {
      advice:
        "If the certificate is self-signed, set NODE_EXTRA_CA_CERTS to the server's ca.crt. The server prints the path at start.",
    });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new Failure(`The certificate of ${server} was issued for another name.`, {
      advice: 'Use the name that the certificate was issued for.',
    });
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return new Failure(`${server} doesn't support TLS.`, { advice: 'Check whether its address starts with http://.' });
  }
  return new Unreachable(`Can't reach ${server} (${code || message}).`, {
    advice: 'Check the address and the network, and whether the server is running.',
  });
}

const notMooring = (server: string): Failure =>
  new Failure(`${server} isn't a Mooring server: its response is invalid.`, { advice: 'Check the address.' });

/** Creates a client whose errors say what to do next. */
export function openConnection({ server, token, basic }: Credential): Client {
  // Without this check, the error about an invalid header would quote the token.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw wrongUsage('Invalid token: it contains characters that tokens never have.');
  const authorization = basic && `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString('base64')}`;
  const client = createClient({
    baseUrl: server,
    token,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          ...(authorization ? { authorization } : {}),
          ...(basic?.code ? { [SECOND_FACTOR_HEADER]: basic.code } : {}),
        },
        // Following a redirect could send the token to another server.
        redirect: 'manual',
      }),
  });
  return async (spec, ...input) => {
    try {
      const result = await client(spec, ...input);
      const { response } = spec;
      const isMissing = result === undefined && response.kind === 'json' && response.mayBeEmpty === undefined;
      if (isMissing) throw notMooring(server);
      return result;
    } catch (error) {
      throw error instanceof ApiError ? error : explainUnreachable(error, server);
    }
  };
}
