import { appRunners } from '../../api/builds/runners.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { RunnerList } from './runner-list.tsx';

export default function AppRunnersPage() {
  const { appRef, can } = useCurrentApp();
  return (
    <RunnerList
      operations={appRunners(appRef)}
      can={can}
      description="Machines that build and test this app: its own runners and those of its organization and this server."
    />
  );
}
