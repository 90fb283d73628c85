import { Menu } from '@mantine/core';
import { apps_createForOrg, HealthEvent_Publish, mayCall } from '@mooring/contract';
import { Link } from 'react-router';
import { useIsOperator } from '../../api/health/health.ts';
import { useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { paths, withQuery } from '../../paths.ts';
import type { Opened } from '../dialogs/on-demand.tsx';

/** Items that can be created from every page. */
export default function NewMenu({ target }: Opened) {
  const { is_admin } = useCurrentUser();
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
