import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers that prove knowledge of the secret; each host sends one of them. */
export interface PushSignatures {
  'x-mooring-token'?: string | undefined;
  'x-hub-signature-256'?: string | undefined;
  'x-hub-signature'?: string | undefined;
  'x-gitea-signature'?: string | undefined;
  'x-gitlab-token'?: string | undefined;
  authorization?: string | undefined;
}

const isEqual = (sent: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const passwordIn = (authorization: string): string | undefined => {
  const [, pair] = /^Basic +([\w+/=-]{1,400})$/i.exec(authorization) ?? [];
  const text = pair && Buffer.from(pair, 'base64').toString('utf8');
  return text?.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
};

/** Returns whether the sender knows the secret. One valid header is enough; all are compared in constant time. */
export function isSigned(secret: string, body: Uint8Array, sent: PushSignatures): boolean {
  const mac = createHmac('sha256', secret).update(body).digest('hex');
  const pairs: [string | undefined, string][] = [
    [sent['x-hub-signature-256'], `sha256=${mac}`],
    [sent['x-hub-signature'], `sha256=${mac}`],
    [sent['x-gitea-signature'], mac],
    [sent['x-gitlab-token'], secret],
    [sent['x-mooring-token'], secret],
    [sent.authorization === undefined ? undefined : passwordIn(sent.authorization), secret],
  ];
  return pairs.some(([received, expected]) => received !== undefined && isEqual(received, expected));
}
