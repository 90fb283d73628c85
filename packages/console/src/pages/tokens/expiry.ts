const DAY = 24 * 60 * 60 * 1000;

const days: Record<string, number> = { '30 days': 30, '90 days': 90, '1 year': 365 };

export const NEVER = 'Never';
export const ON_A_DATE = 'On a date';
export const expiryChoices = [NEVER, ...Object.keys(days), ON_A_DATE];

/** Expiration time; a date means the end of that day in the user's time zone. */
export function getExpiry(choice: string, date: string, now: number): string | undefined {
  const count = days[choice];
  if (count !== undefined) return new Date(now + count * DAY).toISOString();
  return choice === ON_A_DATE ? new Date(`${date}T23:59:59`).toISOString() : undefined;
}

/** A local date in the format of date fields. */
export function formatDay(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
