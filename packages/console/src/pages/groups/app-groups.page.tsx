import { appGroups } from '../../api/groups.ts';
import { useAppHere } from '../../parts/may.ts';
import { pathTo } from '../../paths.ts';
import { GroupList } from './group-list.tsx';

export default function AppGroupsPage() {
  const { appRef, params, may } = useAppHere();
  return (
    <GroupList
      title="Distribution groups"
      lead="Testers who get the app's releases."
      operations={appGroups(appRef)}
      pathOf={(group) => pathTo('appGroup', { ...params, group })}
      may={may}
    />
  );
}
