import type { Deps } from '../context.ts';
import { isSignedUntil, signUntil } from '../kernel/sealed.ts';

const purpose = 'upload';

export const uploadToken = (
  { secretKey }: Pick<Deps, 'secretKey'>,
  { id, expiresAt }: { id: string; expiresAt: number },
): string => signUntil(secretKey, { purpose, text: id, expiresAt });

/** Whether it was made for this very upload, and has not expired. */
export const isUploadToken = ({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, id: string, token: string) =>
  isSignedUntil(secretKey, { purpose, text: id, token }, clock.now());
