import type { EmailSetting } from '../../api/account/notifications.ts';

export interface Delivery {
  isImmediate: boolean;
  isDaily: boolean;
}

/** The deliveries of a setting, with its default resolved. */
export function getDelivery({ value, default_value = 'Disabled' }: Omit<EmailSetting, 'event_type'>): Delivery {
  const effective = value === 'Default' ? default_value : value;
  return {
    isImmediate: effective === 'Individual' || effective === 'DailyAndIndividual',
    isDaily: effective === 'Daily' || effective === 'DailyAndIndividual',
  };
}

export function toValue({ isImmediate, isDaily }: Delivery): EmailSetting['value'] {
  if (isImmediate) return isDaily ? 'DailyAndIndividual' : 'Individual';
  return isDaily ? 'Daily' : 'Disabled';
}
