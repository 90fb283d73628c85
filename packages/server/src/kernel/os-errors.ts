/** Codes by which the system says that something failed which is not this program. */
const away = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EIO', 'EROFS', 'EMFILE', 'ENFILE'],
]);
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** A machine or a disk does not answer. */
export const isAway = (error: unknown): boolean => away.has(codeOf(error));

/** A disk has no room left. */
export const isFull = (error: unknown): boolean => full.has(codeOf(error));
