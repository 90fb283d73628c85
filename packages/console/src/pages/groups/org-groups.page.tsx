import { orgGroups } from '../../api/groups.ts';
import { useOrgHere } from '../../parts/may.ts';
import { GroupList } from './group-list.tsx';

export default function OrgGroupsPage() {
  const { org, base, may } = useOrgHere();
  return (
    <GroupList
      title="Shared groups"
      lead="Testers for several apps of the organization at once."
      place={orgGroups(org.name)}
      base={`${base}/groups`}
      may={may}
    />
  );
}
