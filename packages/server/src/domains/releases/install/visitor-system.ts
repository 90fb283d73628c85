import type { AppOs } from '@mooring/contract';

export type VisitorSystem = 'Android' | 'iOS' | 'macOS' | 'Windows' | 'Linux' | undefined;

/** What system a browser says that it runs on. An iPad calls itself a Mac. */
export function visitorSystem(userAgent = ''): VisitorSystem {
  const text = userAgent.slice(0, 1000);
  if (/Android/i.test(text)) return 'Android';
  if (/iPhone|iPad|iPod/i.test(text)) return 'iOS';
  if (/Windows/i.test(text)) return 'Windows';
  if (/Macintosh|Mac OS X/i.test(text)) return 'macOS';
  return /Linux|X11|CrOS/i.test(text) ? 'Linux' : undefined;
}

/** Whether an app can be installed right there: yes, no, or nobody can tell. */
export function fitsVisitor(os: AppOs, system: VisitorSystem): 'yes' | 'no' | 'unknown' {
  if (os === 'Custom' || os === 'Tizen' || system === undefined) return 'unknown';
  if (os === system) return 'yes';
  if (os === 'iOS' && system === 'macOS') return 'unknown';
  return os === 'tvOS' ? 'unknown' : 'no';
}
