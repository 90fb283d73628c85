import { orgGroups } from '../../api/groups.ts';
import { useOrgHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { GroupList } from './group-list.tsx';

export default function OrgGroupsPage() {
  const { org, params, may } = useOrgHere();
  return (
    <GroupList
      title="Distribution groups"
      lead="Testers for several apps of the organization at once."
      operations={orgGroups(org.name)}
      pathOf={(group) => pathTo('orgGroup', { ...params, group })}
      may={may}
    />
  );
}
