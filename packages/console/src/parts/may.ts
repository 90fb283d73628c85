import { type AppPermission, type EndpointSpec, mayCall, type OrgRole } from '@mooring/contract';
import { createContext, useContext } from 'react';
import { type App, type AppRef, appRefOf } from '../api/apps.ts';
import type { Org } from '../api/orgs.ts';
import { type AppParams, appParams, type ParamsOf } from '../paths.ts';
import { permissionOn } from './current-page.ts';

/** Whether the reader may call an operation here, with this body if that matters; the server has the last word. */
export type May = (spec: EndpointSpec, body?: object) => boolean;

interface AppHere {
  app: App;
  appRef: AppRef;
  /** What its pages' addresses are filled in with. */
  params: AppParams;
  permission: AppPermission;
  may: May;
}

interface OrgHere {
  org: Org;
  params: ParamsOf<'org'>;
  role: OrgRole;
  may: May;
}

export function appHere(app: App): AppHere {
  const permission = permissionOn(app);
  return {
    app,
    appRef: appRefOf(app),
    params: appParams(app),
    permission,
    may: (spec, body) => mayCall(spec, `app:${permission}`, 'all', body),
  };
}

export const orgHere = (org: Org, role: OrgRole): OrgHere => ({
  org,
  params: { org: org.name },
  role,
  may: (spec, body) => mayCall(spec, `org:${role}`, 'all', body),
});

export const AppContext = createContext<AppHere | undefined>(undefined);
export const OrgContext = createContext<OrgHere | undefined>(undefined);

export function useAppHere(): AppHere {
  const here = useContext(AppContext);
  if (!here) throw new Error('This page is not below AppArea.');
  return here;
}

export function useOrgHere(): OrgHere {
  const here = useContext(OrgContext);
  if (!here) throw new Error('This page is not below OrgArea.');
  return here;
}
