import { createHmac, timingSafeEqual } from 'node:crypto';

/** What hosts send to show that they know the secret. */
export interface PushSignatures {
  'x-mooring-token'?: string | undefined;
  'x-hub-signature-256'?: string | undefined;
  'x-hub-signature'?: string | undefined;
  'x-gitea-signature'?: string | undefined;
  'x-gitlab-token'?: string | undefined;
  authorization?: string | undefined;
}

const isEqual = (given: string, wanted: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const passwordIn = (authorization: string): string | undefined => {
  const [, pair] = /^Basic +([\w+/=-]{1,400})$/i.exec(authorization) ?? [];
  const text = pair && Buffer.from(pair, 'base64').toString('utf8');
  return text?.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
};

/** Whether a body comes from who knows the secret: one way that holds is enough, and each is compared in constant time. */
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
  return pairs.some(([given, wanted]) => given !== undefined && isEqual(given, wanted));
}
