import { Type } from '@mooring/contract';
import type { Static, TObject } from 'typebox';
import type { Ctx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { jsonCodec } from '../../../kernel/text/json-codec.ts';

/** The browser that sent a request, as `ReplyControls` of a route represents it. */
export interface Browser {
  readCookie(name: string): string | undefined;
  setCookie(name: string, value: string | undefined, maxAgeMs?: number): void;
  setSession(secret: string, expiresAt: number): void;
}

/** How long a sign-in may take, and how long its user may take to link an account. */
export const LIFETIME = 10 * MINUTE;

/**
 * State of a sign-in that only the browser holds, sealed in a cookie: another browser can't continue the sign-in, and
 * starting many costs the server nothing.
 */
function defineBrowserState<S extends TObject>(name: string, schema: S) {
  const codec = jsonCodec(`the cookie ${name}`, Type.Object({ state: schema, expiresAt: Type.Number() }));
  const purpose = `cookie:${name}`;
  return {
    save({ clock, secretKey }: Ctx, browser: Browser, state: Static<S>): void {
      const text = JSON.stringify({ state, expiresAt: clock.now() + LIFETIME });
      browser.setCookie(name, seal(secretKey, purpose, text), LIFETIME);
    },
    read({ clock, secretKey }: Ctx, browser: Browser): Static<S> | undefined {
      const text = open(secretKey, purpose, browser.readCookie(name) ?? '');
      if (text === undefined) return undefined;
      const { state, expiresAt } = codec.parse(text) as unknown as { state: Static<S>; expiresAt: number };
      return expiresAt > clock.now() ? state : undefined;
    },
    clear: (browser: Browser): void => browser.setCookie(name, undefined),
  };
}

/** A sign-in at a provider that has not returned yet. */
export const startedSignIn = defineBrowserState(
  'sign_in',
  Type.Object({
    provider: Type.String(),
    issuer: Type.String(),
    state: Type.String(),
    nonce: Type.String(),
    verifier: Type.String(),
    next: Type.String(),
  }),
);

/** A passkey that a browser is asked to create, or to sign in with. */
export const startedPasskey = defineBrowserState(
  'passkey',
  Type.Object({
    purpose: Type.Enum(['create', 'get']),
    challenge: Type.String(),
    userId: Type.Optional(Type.String()),
  }),
);

/** A user of a provider who is not linked to an account yet. */
export const pendingLink = defineBrowserState(
  'sign_in_link',
  Type.Object({
    provider: Type.String(),
    issuer: Type.String(),
    subject: Type.String(),
    email: Type.Optional(Type.String()),
    sid: Type.Optional(Type.String()),
    /** IDs of the group mappings that apply; undefined if the groups are unknown. */
    mappings: Type.Optional(Type.Array(Type.String())),
    next: Type.String(),
  }),
);
