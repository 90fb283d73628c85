import type { Deps } from '../context.ts';
import { isSignedUntil, signUntil } from '../kernel/crypto/sealed.ts';

const purpose = 'upload';

export const uploadToken = (
  { secretKey }: Pick<Deps, 'secretKey'>,
  { id, expiresAt }: { id: string; expiresAt: number },
): string => signUntil(secretKey, { purpose, text: id, expiresAt });

/** True if the token is for this upload and has not expired. */
export const isUploadToken = ({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, id: string, token: string) =>
  isSignedUntil(secretKey, { purpose, text: id, token }, clock.now());
