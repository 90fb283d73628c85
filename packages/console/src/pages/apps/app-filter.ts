import type { App } from '../../api/apps.ts';

export interface AppFilter {
  os?: string | undefined;
  owner?: string | undefined;
}

export const filterApps = (apps: App[], { os, owner }: AppFilter): App[] =>
  apps.filter((app) => (!os || app.os === os) && (!owner || app.owner.name === owner));

/** The owners of some apps, once each, by display name. */
export function ownersOf(apps: App[]): { value: string; label: string }[] {
  const owners = new Map(apps.map(({ owner }) => [owner.name, owner.display_name]));
  return [...owners].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}
