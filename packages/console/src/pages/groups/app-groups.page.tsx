import { appGroups } from '../../api/organizations/groups.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { GroupList } from './group-list.tsx';

export default function AppGroupsPage() {
  const { appRef, params, can } = useCurrentApp();
  return (
    <GroupList
      title="Distribution groups"
      description="Testers who get releases of this app."
      operations={appGroups(appRef)}
      getPath={(group) => pathTo('appGroup', { ...params, group })}
      can={can}
    />
  );
}
