import { serverRunners } from '../../api/runners.ts';
import { RunnerList } from './runner-list.tsx';

export default function ServerRunnersPage() {
  // Whoever sees the administration may do all of it.
  return <RunnerList of={serverRunners} may={() => true} lead="Machines that build every app of this server." />;
}
