/** Error codes of the system for failures outside this program. */
const away = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'],
]);
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const getErrorCode = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** A machine or a disk does not respond. */
export const isAway = (error: unknown): boolean => away.has(getErrorCode(error));

/** A disk is full. */
export const isFull = (error: unknown): boolean => full.has(getErrorCode(error));
