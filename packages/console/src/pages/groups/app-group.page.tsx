import { releases_list } from '@mooring/contract';
import { useParams } from 'react-router';
import { appGroups } from '../../api/groups.ts';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { GroupReleases } from './group-releases.tsx';
import { GroupView } from './group-view.tsx';

export default function AppGroupPage() {
  const { app, appRef, params, may } = useAppHere();
  const { group = '' } = useParams();
  return (
    <GroupView
      operations={appGroups(appRef)}
      name={group}
      listPath={pathTo('appGroups', params)}
      pathOf={(name) => pathTo('appGroup', { ...params, group: name })}
      may={may}
      collaboratorsId={app.id}
    >
      {may(releases_list) && <GroupReleases group={group} />}
    </GroupView>
  );
}
