import { type EndpointSpec, empty, endpoint } from '@mooring/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx, Deps } from '../../context.ts';
import { toFailure } from '../../http/errors.ts';
import { FORM_BYTES, readForm } from '../../http/forms.ts';
import { sendProblemPage } from '../../http/problem-page.ts';
import { type Failure, statusOf } from '../../kernel/errors.ts';
import { AUTHORIZE_PATH, authorize } from './authorize.ts';
import { discoveryDocument, KEYS_PATH, TOKEN_PATH } from './discovery.ts';
import { listPublicKeys } from './keys.ts';
import { type OAuthErrorCode, OAuthFailure } from './oauth-failure.ts';
import { exchangeCode, isClientOrigin, type TokenRequest } from './token-requests.ts';

type AccessHook = (spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** These speak OAuth instead of this API's own language, so they are not in its table; the discovery document names them. */
const spec = (id: string, path: string, summary: string): EndpointSpec =>
  endpoint({
    id,
    // The rule against pages of other sites protects cookies, and none of these changes anything for one.
    method: 'GET',
    path,
    tag: 'signing in',
    summary,
    access: 'public',
    effect: 'read',
    response: empty({ status: 200, description: summary }),
  });

const specs = {
  authorize: spec('oauth_authorize', AUTHORIZE_PATH, 'Asks a person to let a client act for them'),
  token: spec('oauth_token', TOKEN_PATH, 'Changes a code into an access token'),
  keys: spec('oauth_keys', KEYS_PATH, 'The keys that sign access tokens'),
  discovery: spec('oauth_discovery', '/common/.well-known/openid-configuration', 'Where everything is'),
};

const ctxOf = (request: FastifyRequest): Ctx => request.ctx as Ctx;

/** What went wrong beneath the protocol, such as too many requests, in its language. */
function toOAuthError(failure: Failure | undefined): OAuthErrorCode {
  if (!failure || failure.code === 'InternalServerError') return 'server_error';
  return statusOf[failure.code] === 429 || statusOf[failure.code] === 503
    ? 'temporarily_unavailable'
    : 'invalid_request';
}

/** The endpoints of OAuth 2.0 and its discovery. */
export function addOAuth(app: FastifyInstance, deps: Deps, access: AccessHook): void {
  const guard = (spec: EndpointSpec) => ({
    config: { endpoint: spec },
    onRequest: (request: FastifyRequest, reply: FastifyReply) => access(spec, request, reply),
  });
  const failureOf = (error: Error): Failure | undefined => toFailure(error as FastifyError, { bodyLimit: FORM_BYTES });

  app.get(AUTHORIZE_PATH, {
    ...guard(specs.authorize),
    errorHandler: (error, request, reply) => {
      const failure = failureOf(error as Error);
      if (!failure) deps.log.error({ request: request.id, err: error }, 'unexpected error');
      reply.failureCode = failure?.code ?? 'InternalServerError';
      const problem = failure?.message ?? `Something went wrong on the server. Quote ${request.id} when you report it.`;
      return sendProblemPage(reply.headers(failure?.headers ?? {}), failure ? statusOf[failure.code] : 500, problem);
    },
    handler: async (request, reply) => {
      const at = request.url.indexOf('?');
      const outcome = await authorize(ctxOf(request), at === -1 ? '' : request.url.slice(at + 1));
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      return 'location' in outcome
        ? reply.redirect(outcome.location, 302)
        : sendProblemPage(reply, 400, outcome.problem);
    },
  });

  app.register(async (scope) => {
    const form = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser(form, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
      readForm(text),
    );
    const allowOrigin = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
      const { origin } = request.headers;
      reply.header('vary', 'origin');
      if (origin === undefined || origin.length > 300 || !(await isClientOrigin(deps, origin))) return false;
      reply.header('access-control-allow-origin', origin);
      return true;
    };

    scope.options(TOKEN_PATH, {
      ...guard(specs.token),
      handler: async (request, reply) => {
        if (await allowOrigin(request, reply)) {
          reply.headers({
            'access-control-allow-methods': 'POST',
            'access-control-allow-headers': 'content-type',
            'access-control-max-age': '600',
          });
        }
        return reply.code(204).send();
      },
    });

    scope.post(TOKEN_PATH, {
      ...guard(specs.token),
      bodyLimit: FORM_BYTES,
      onRequest: [
        guard(specs.token).onRequest,
        async (request, reply) => {
          await allowOrigin(request, reply);
        },
      ],
      errorHandler: (error, request, reply) => {
        const isOurs = error instanceof OAuthFailure;
        const failure = isOurs ? undefined : failureOf(error as Error);
        if (!isOurs && !failure) deps.log.error({ request: request.id, err: error }, 'unexpected error');
        const code = isOurs ? error.error : toOAuthError(failure);
        reply.failureCode = code;
        reply.headers({ ...failure?.headers, 'cache-control': 'no-store' });
        const description = isOurs ? error.message : (failure?.message ?? `Quote ${request.id} when you report it.`);
        const status = isOurs ? 400 : failure ? statusOf[failure.code] : 500;
        return reply
          .code(status)
          .type('application/json; charset=utf-8')
          .send({ error: code, error_description: description });
      },
      handler: async (request, reply) => {
        const { body } = request;
        if (typeof body !== 'object' || body === null || Array.isArray(body)) {
          throw new OAuthFailure('invalid_request', 'The body must be a form, or a JSON object.');
        }
        reply.header('cache-control', 'no-store');
        return exchangeCode(ctxOf(request), body as TokenRequest);
      },
    });
  });

  const publish = (spec: EndpointSpec, read: () => Promise<object>) =>
    app.get(spec.path, {
      ...guard(spec),
      handler: async (_request, reply) => {
        reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' });
        return read();
      },
    });
  publish(specs.keys, async () => ({ keys: await listPublicKeys(deps) }));
  publish(specs.discovery, async () => discoveryDocument(deps));
}
