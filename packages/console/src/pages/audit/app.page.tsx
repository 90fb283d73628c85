import { useAppHere } from '../../parts/may.ts';
import { AuditLog } from './audit-log.tsx';

const kinds = ['api_token', 'app', 'group', 'invitation', 'release', 'team'];

export default function AppAuditPage() {
  const { appRef } = useAppHere();
  return <AuditLog lead="Every change to the app, newest first." scope={{ kind: 'app', appRef }} kinds={kinds} />;
}
