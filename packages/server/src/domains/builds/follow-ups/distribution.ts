import type { Distribution } from '../builds.ts';

interface Chosen {
  destinationType?: unknown;
  destinations?: unknown;
  isSilent?: unknown;
}

/** Destinations for successful builds of a branch, if it has any. */
export function readDistribution(settings: Record<string, unknown>): Distribution | undefined {
  const chosen = (settings.toolsets as { distribution?: Chosen } | undefined)?.distribution;
  if (!Array.isArray(chosen?.destinations)) return undefined;
  const type = chosen.destinationType === 'store' ? ('store' as const) : ('group' as const);
  const destinations = chosen.destinations
    .filter((id): id is string => typeof id === 'string')
    .slice(0, 100)
    .map((id) => ({ id, type }));
  return destinations.length === 0
    ? undefined
    : { destinations, isMandatory: false, notifyTesters: chosen.isSilent !== true };
}
