/** What a check has found, and how to mend it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'fail';
  message: string;
  mend?: string;
}

type Say = (message: string, mend?: string) => Finding;

/** Makes the findings of one check. */
export function findingsOf(check: string): Record<Finding['state'], Say> {
  const say =
    (state: Finding['state']): Say =>
    (message, mend) => ({ check, state, message, ...(mend ? { mend } : {}) });
  return { ok: say('ok'), warn: say('warn'), fail: say('fail') };
}

export const reasonOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || String(error);
};
