/** Result of a check, and how to fix a problem. */
export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  remedy?: string;
}

type Say = (message: string, remedy?: string) => Finding;

/** Creates the findings of one check. */
export function createFindings(check: string): Record<Finding['state'], Say> {
  const say =
    (state: Finding['state']): Say =>
    (message, remedy) => ({ check, state, message, ...(remedy ? { remedy } : {}) });
  return { ok: say('ok'), warn: say('warn'), fail: say('fail') };
}

export const getReason = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};
