import { orgRunners } from '../../api/builds/runners.ts';
import { useCurrentOrg } from '../../context/permissions.ts';
import { RunnerList } from './runner-list.tsx';

export default function OrgRunnersPage() {
  const { org, can } = useCurrentOrg();
  return (
    <RunnerList
      operations={orgRunners(org.name)}
      can={can}
      description="Machines that build and test all apps of this organization."
    />
  );
}
