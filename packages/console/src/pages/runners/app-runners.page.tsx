import { appRunners } from '../../api/runners.ts';
import { useAppHere } from '../../parts/may.ts';
import { RunnerList } from './runner-list.tsx';

export default function AppRunnersPage() {
  const { appRef, may } = useAppHere();
  return (
    <RunnerList
      of={appRunners(appRef)}
      may={may}
      lead="Machines that build this app: its own, those of its organization and those of the server."
    />
  );
}
