import { useParams } from 'react-router';
import { appGroups } from '../../api/groups.ts';
import { useAppHere } from '../../parts/may.ts';
import { GroupView } from './group-view.tsx';

export default function AppGroupPage() {
  const { address, base, may } = useAppHere();
  const { group = '' } = useParams();
  return <GroupView place={appGroups(address)} name={group} base={`${base}/groups`} may={may} />;
}
