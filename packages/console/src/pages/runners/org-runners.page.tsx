import { orgRunners } from '../../api/runners.ts';
import { useOrgHere } from '../../parts/may.ts';
import { RunnerList } from './runner-list.tsx';

export default function OrgRunnersPage() {
  const { org, may } = useOrgHere();
  return <RunnerList of={orgRunners(org.name)} may={may} lead="Machines that build all apps of this organization." />;
}
