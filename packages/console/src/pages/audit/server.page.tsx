import { AuditLog } from './audit-log.tsx';

const kinds = [
  'api_token',
  'app',
  'group',
  'invitation',
  'org',
  'password_reset',
  'server',
  'service_account',
  'session',
  'team',
  'user',
];

export default function ServerAuditPage() {
  return <AuditLog description="Every change on this server, newest first." scope={{ kind: 'server' }} kinds={kinds} />;
}
