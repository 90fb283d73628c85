import { type AppPermission, type EndpointSpec, mayCall, type OrgRole } from '@mooring/contract';
import { createContext, useContext } from 'react';
import { type App, type AppRef, toAppRef } from '../api/apps.ts';
import type { Org } from '../api/organizations/orgs.ts';
import { type AppParams, appParams, type PathParams } from '../paths.ts';
import { getAppPermission } from './current-page.ts';

/** Checks if the user may call an operation, with this body if that matters. The server has the last word. */
export type PermissionCheck = (spec: EndpointSpec, body?: object) => boolean;

interface CurrentApp {
  app: App;
  appRef: AppRef;
  /** URL parameters of its pages. */
  params: AppParams;
  permission: AppPermission;
  can: PermissionCheck;
}

interface CurrentOrg {
  org: Org;
  params: PathParams<'org'>;
  role: OrgRole;
  can: PermissionCheck;
}

export function toCurrentApp(app: App): CurrentApp {
  const permission = getAppPermission(app);
  return {
    app,
    appRef: toAppRef(app),
    params: appParams(app),
    permission,
    can: (spec, body) => mayCall(spec, `app:${permission}`, 'all', body),
  };
}

export const toCurrentOrg = (org: Org, role: OrgRole): CurrentOrg => ({
  org,
  params: { org: org.name },
  role,
  can: (spec, body) => mayCall(spec, `org:${role}`, 'all', body),
});

export const AppContext = createContext<CurrentApp | undefined>(undefined);
export const OrgContext = createContext<CurrentOrg | undefined>(undefined);

export function useCurrentApp(): CurrentApp {
  const here = useContext(AppContext);
  if (!here) throw new Error('This page is not below AppArea.');
  return here;
}

export function useCurrentOrg(): CurrentOrg {
  const here = useContext(OrgContext);
  if (!here) throw new Error('This page is not below OrgArea.');
  return here;
}
