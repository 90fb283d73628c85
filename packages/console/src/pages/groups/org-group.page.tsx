import { useParams } from 'react-router';
import { orgGroups } from '../../api/groups.ts';
import { useOrgHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { GroupApps } from './group-apps.tsx';
import { GroupView } from './group-view.tsx';

export default function OrgGroupPage() {
  const { org, params, may } = useOrgHere();
  const { group = '' } = useParams();
  return (
    <GroupView
      operations={orgGroups(org.name)}
      name={group}
      listPath={pathTo('orgGroups', params)}
      pathOf={(name) => pathTo('orgGroup', { ...params, group: name })}
      may={may}
    >
      <GroupApps group={group} />
    </GroupView>
  );
}
