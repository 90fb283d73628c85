import type { AppOs } from '@mooring/contract';

export type VisitorSystem = 'Android' | 'iOS' | 'macOS' | 'Windows' | 'Linux' | undefined;

/** The visitor's operating system, and name of an Apple device. */
export interface Visitor {
  system: VisitorSystem;
  device?: 'iPhone' | 'iPad' | undefined;
}

/** Detects the operating system of a browser. An iPad identifies as a Mac. */
export function visitorSystem(userAgent = ''): VisitorSystem {
  const text = userAgent.slice(0, 1000);
  if (/Android/i.test(text)) return 'Android';
  if (/iPhone|iPad|iPod/i.test(text)) return 'iOS';
  if (/Windows/i.test(text)) return 'Windows';
  if (/Macintosh|Mac OS X/i.test(text)) return 'macOS';
  return /Linux|X11|CrOS/i.test(text) ? 'Linux' : undefined;
}

export function toVisitor(userAgent = ''): Visitor {
  const system = visitorSystem(userAgent);
  if (system !== 'iOS') return { system };
  return { system, device: /iPad/i.test(userAgent.slice(0, 1000)) ? 'iPad' : 'iPhone' };
}

/** Checks whether an app can be installed on the visitor's device; `unknown` if that cannot be determined. */
export function fitsVisitor(os: AppOs, system: VisitorSystem): 'yes' | 'no' | 'unknown' {
  if (os === 'Custom' || os === 'Tizen' || system === undefined) return 'unknown';
  if (os === system) return 'yes';
  if (os === 'iOS' && system === 'macOS') return 'unknown';
  return os === 'tvOS' ? 'unknown' : 'no';
}
