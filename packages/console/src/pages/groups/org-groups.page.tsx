import { orgGroups } from '../../api/organizations/groups.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { GroupList } from './group-list.tsx';

export default function OrgGroupsPage() {
  const { org, params, can } = useCurrentOrg();
  return (
    <GroupList
      title="Distribution groups"
      description="Testers of several apps of this organization."
      operations={orgGroups(org.name)}
      getPath={(group) => pathTo('orgGroup', { ...params, group })}
      can={can}
    />
  );
}
