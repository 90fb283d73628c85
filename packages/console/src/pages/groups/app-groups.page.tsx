import { appGroups } from '../../api/groups.ts';
import { useAppHere } from '../../parts/may.ts';
import { GroupList } from './group-list.tsx';

export default function AppGroupsPage() {
  const { address, base, may } = useAppHere();
  return (
    <GroupList
      title="Groups"
      lead="Testers who get the app's releases: its own groups, and those that the organization shares with it."
      place={appGroups(address)}
      base={`${base}/groups`}
      may={may}
    />
  );
}
