import { onAsJob } from '../../jobs/index.ts';
import { tokenExpiring } from '../tokens/index.ts';
import { announced } from '../webhooks/index.ts';
import { isMailed, tellByMail, tellOfToken } from './telling.ts';

export const notificationListeners = [
  onAsJob(announced, 'announcement.mail', tellByMail, isMailed),
  onAsJob(tokenExpiring, 'api_token.mail', tellOfToken),
];
