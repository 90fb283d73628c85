import type { Deps } from '../../context.ts';
import type { AppRef } from '../apps/index.ts';
import { findProjectApp, listValidKeys } from './sdk-keys.store.ts';

/** An app with the keys that it accepts now. */
export interface SdkProject {
  id: number;
  app: AppRef;
  keys: readonly string[];
}

const MAX_PROJECTS = 20_000;
const MAX_UNKNOWN = 10_000;
/** Unknown IDs are cached only briefly: a restored database may contain them. */
const UNKNOWN_FOR = 10_000;

const form = /^[1-9]\d{0,14}$/;

/** Looks up apps by project ID, for requests from devices. Caches results until any grants change, or a key ends. */
export function createProjectMemory({ db, clock, versionsNow }: Pick<Deps, 'db' | 'clock' | 'versionsNow'>) {
  const projects = new Map<string, { project: SdkProject; until: number }>();
  const unknown = new Set<string>();
  let version = -1;
  let unknownUntil = 0;

  async function load(id: string, now: number) {
    const app = await findProjectApp.first(db, { projectId: Number(id) });
    if (!app) return undefined;
    const rows = await listValidKeys.all(db, { appId: app.id, now });
    const project: SdkProject = {
      id: Number(id),
      app: { id: app.id, ownerId: app.owner_id, ownerName: app.owner_name, name: app.name },
      keys: rows.flatMap((row) => (row.is_enabled === 1 ? [row.public_key] : [])),
    };
    const until = Math.min(Number.POSITIVE_INFINITY, ...rows.flatMap(({ ends_at }) => ends_at ?? []));
    return { project, until };
  }

  return async (id: string): Promise<SdkProject | undefined> => {
    if (!form.test(id)) return undefined;
    const now = clock.now();
    const { grants } = await versionsNow();
    if (grants !== version || projects.size >= MAX_PROJECTS) {
      projects.clear();
      unknown.clear();
      version = grants;
    }
    if (now >= unknownUntil || unknown.size >= MAX_UNKNOWN) {
      unknown.clear();
      unknownUntil = now + UNKNOWN_FOR;
    }
    const cached = projects.get(id);
    if (cached && now < cached.until) return cached.project;
    if (unknown.has(id)) return undefined;
    const loaded = await load(id, now);
    // Results from before a change are not cached.
    if (version === grants) {
      if (loaded) projects.set(id, loaded);
      else unknown.add(id);
    }
    return loaded?.project;
  };
}
