import { releases_list } from '@mooring/contract';
import { useParams } from 'react-router';
import { appGroups } from '../../api/organizations/groups.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { GroupReleases } from './group-releases.tsx';
import { GroupView } from './group-view.tsx';

export default function AppGroupPage() {
  const { app, appRef, params, can } = useCurrentApp();
  const { group = '' } = useParams();
  return (
    <GroupView
      operations={appGroups(appRef)}
      name={group}
      listPath={pathTo('appGroups', params)}
      getPath={(name) => pathTo('appGroup', { ...params, group: name })}
      can={can}
      collaboratorsId={app.id}
    >
      {can(releases_list) && <GroupReleases group={group} />}
    </GroupView>
  );
}
