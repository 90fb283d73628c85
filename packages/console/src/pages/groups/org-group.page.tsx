import { useParams } from 'react-router';
import { orgGroups } from '../../api/groups.ts';
import { useOrgHere } from '../../parts/may.ts';
import { GroupApps } from './group-apps.tsx';
import { GroupView } from './group-view.tsx';

export default function OrgGroupPage() {
  const { org, base, may } = useOrgHere();
  const { group = '' } = useParams();
  return (
    <GroupView place={orgGroups(org.name)} name={group} base={`${base}/groups`} may={may}>
      <GroupApps group={group} />
    </GroupView>
  );
}
