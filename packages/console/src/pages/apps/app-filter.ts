import type { App } from '../../api/apps.ts';

export interface AppFilter {
  text: string;
  os: string | null;
  owner: string | null;
}

const textOf = ({ display_name, name, owner }: App): string =>
  `${display_name} ${owner.name}/${name} ${owner.display_name}`.toLowerCase();

/** Every word that was typed has to occur somewhere in the app's names. */
export function filterApps(apps: App[], { text, os, owner }: AppFilter): App[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return apps.filter((app) => {
    if ((os && app.os !== os) || (owner && app.owner.name !== owner)) return false;
    if (words.length === 0) return true;
    const names = textOf(app);
    return words.every((word) => names.includes(word));
  });
}

/** The owners of some apps, once each, by display name. */
export function ownersOf(apps: App[]): { value: string; label: string }[] {
  const owners = new Map(apps.map(({ owner }) => [owner.name, owner.display_name]));
  return [...owners].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}
