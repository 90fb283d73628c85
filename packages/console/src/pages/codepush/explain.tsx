import { Alert, SimpleGrid, Text } from '@mantine/core';
import { codePushDeployments_explain } from '@mooring/contract';
import { type Explanation, useExplain } from '../../api/codepush.ts';
import { parametersOf } from '../../parts/field-rules.ts';
import { NameField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';

const reasons: Record<Exclude<Explanation['reason'], 'update'>, string> = {
  no_releases: 'Nothing: nothing was released here.',
  all_disabled: 'Nothing: no release is out for it.',
  binary_too_new: 'Nothing: no release is for a binary as new as this.',
  binary_too_old: 'Nothing, but it is told to go to the store: what is out is for a newer binary.',
  up_to_date: 'Nothing: it has the newest already.',
};

const rule = parametersOf(codePushDeployments_explain);

export function Explain({ deployment }: { deployment: string }) {
  const { appRef } = useAppHere();
  const asking = useExplain(appRef, deployment);
  return (
    <>
      <Form
        action="Show"
        sending={asking}
        isFleeting
        onSend={(fields) => {
          const [running, device] = [fields.text('label'), fields.text('client_unique_id')];
          asking.mutate({
            app_version: fields.text('app_version') ?? '',
            ...(running ? { label: running } : {}),
            ...(device ? { client_unique_id: device } : {}),
          });
        }}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NameField name="app_version" label="Version of the binary" rule={rule('app_version')} placeholder="1.2.0" />
          <NameField name="label" label="Release that it runs" rule={rule('label')} placeholder="v3" />
          <NameField name="client_unique_id" label="Id of the device" rule={rule('client_unique_id')} />
        </SimpleGrid>
      </Form>
      {asking.data && <Answer explanation={asking.data} />}
    </>
  );
}

function Answer({ explanation }: { explanation: Explanation }) {
  const { reason, update_info, is_diff, rollout } = explanation;
  const kind = is_diff ? 'what changed, ' : '';
  return (
    <Alert color={reason === 'update' ? 'green' : 'gray'} role="status">
      <Text size="sm">
        {reason === 'update'
          ? `${update_info.label}${update_info.is_mandatory ? ', which it must install' : ''}: ${kind}${update_info.package_size.toLocaleString()} bytes.`
          : reasons[reason]}
      </Text>
      {rollout && (
        <Text size="sm">
          {rollout.label} goes to {rollout.percent} of a hundred devices.{' '}
          {rollout.place === undefined
            ? 'Without an id a device is in no rollout.'
            : `This one stands at ${rollout.place}, so it is ${rollout.is_included ? 'among them' : 'not among them'}.`}
        </Text>
      )}
    </Alert>
  );
}
