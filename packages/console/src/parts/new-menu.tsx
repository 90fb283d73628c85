import { Menu } from '@mantine/core';
import { apps_createForOrg, HealthEvent_Publish, mayCall } from '@mooring/contract';
import { Link } from 'react-router';
import { useIsOperator } from '../api/health.ts';
import { paths, withQuery } from '../paths.ts';
import { useCurrentPage } from './current-page.ts';
import { useMe } from './me.ts';
import type { Opened } from './on-demand.tsx';

/** What can be made from everywhere. */
export default function NewMenu({ target }: Opened) {
  const { is_admin } = useMe();
  const { org, caller } = useCurrentPage();
  const rights = useIsOperator(!is_admin);
  const isOperator =
    mayCall(HealthEvent_Publish, is_admin ? 'administrator' : 'user', 'all') || rights.data?.is_operator;
  const owner = org && caller?.startsWith('org:') && mayCall(apps_createForOrg, caller, 'all') ? org.name : undefined;
  return (
    <Menu position="bottom-end" width={200} shadow="md" withinPortal={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={withQuery(paths.newApp, { org: owner })}>
          App
        </Menu.Item>
        <Menu.Item component={Link} to={paths.newOrg}>
          Organization
        </Menu.Item>
        {isOperator && (
          <Menu.Item component={Link} to={paths.healthPublish}>
            Health event
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
