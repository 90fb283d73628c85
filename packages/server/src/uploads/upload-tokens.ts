import type { Deps } from '../context.ts';
import { signText, verifyText } from '../kernel/sealed.ts';

const PURPOSE = 'upload';

/** Only letters that need no escape in an address: some clients encode it, others do not. */
export function uploadToken(
  { secretKey }: Pick<Deps, 'secretKey'>,
  { id, expiresAt }: { id: string; expiresAt: number },
): string {
  const end = expiresAt.toString(36);
  return `${end}.${signText(secretKey, PURPOSE, `${id} ${end}`)}`;
}

/** Whether it was made for this very upload, and has not expired. */
export function isUploadToken({ secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>, id: string, token: string) {
  const [end = '', signature = ''] = token.split('.');
  return verifyText(secretKey, PURPOSE, `${id} ${end}`, signature) && Number.parseInt(end, 36) > clock.now();
}
