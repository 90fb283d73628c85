import { serverRunners } from '../../api/builds/runners.ts';
import { RunnerList } from './runner-list.tsx';

export default function ServerRunnersPage() {
  // All administrators have these permissions.
  return (
    <RunnerList
      operations={serverRunners}
      can={() => true}
      description="Machines that build and test all apps of this server."
    />
  );
}
