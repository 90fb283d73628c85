import { useParams } from 'react-router';
import { orgGroups } from '../../api/organizations/groups.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { GroupApps } from './group-apps.tsx';
import { GroupView } from './group-view.tsx';

export default function OrgGroupPage() {
  const { org, params, can } = useCurrentOrg();
  const { group = '' } = useParams();
  return (
    <GroupView
      operations={orgGroups(org.name)}
      name={group}
      listPath={pathTo('orgGroups', params)}
      getPath={(name) => pathTo('orgGroup', { ...params, group: name })}
      can={can}
    >
      <GroupApps group={group} />
    </GroupView>
  );
}
