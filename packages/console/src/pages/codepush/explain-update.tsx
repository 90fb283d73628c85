import { Alert, SimpleGrid, Text } from '@mantine/core';
import { codePushDeployments_explain } from '@mooring/contract';
import { type Explanation, useExplain } from '../../api/releases/codepush.ts';
import { getParameterRules } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';

const reasons: Record<Exclude<Explanation['reason'], 'update'>, string> = {
  no_releases: 'No update: this deployment has no releases.',
  all_disabled: 'No update: no release is available to this device.',
  binary_too_new: 'No update: all releases target older app versions.',
  binary_too_old: 'No update: the release needs a newer app version. The device is sent to the store.',
  up_to_date: 'No update: the device already runs the latest release.',
};

const rule = getParameterRules(codePushDeployments_explain);

export function ExplainUpdate({ deployment }: { deployment: string }) {
  const { appRef } = useCurrentApp();
  const explaining = useExplain(appRef, deployment);
  return (
    <>
      <Form
        action="Check for update"
        sending={explaining}
        isFleeting
        onSend={(fields) => {
          const [running, device] = [fields.text('label'), fields.text('client_unique_id')];
          explaining.mutate({
            app_version: fields.text('app_version') ?? '',
            ...(running ? { label: running } : {}),
            ...(device ? { client_unique_id: device } : {}),
          });
        }}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NameField name="app_version" label="App version" rule={rule('app_version')} placeholder="1.2.0" />
          <NameField name="label" label="Installed release" rule={rule('label')} placeholder="v3" />
          <NameField name="client_unique_id" label="Device ID" rule={rule('client_unique_id')} />
        </SimpleGrid>
      </Form>
      {explaining.data && <ExplanationResult explanation={explaining.data} />}
    </>
  );
}

function ExplanationResult({ explanation }: { explanation: Explanation }) {
  const { reason, update_info, is_diff, rollout } = explanation;
  const kind = is_diff ? 'diff of ' : '';
  return (
    <Alert color={reason === 'update' ? 'green' : 'gray'} role="status">
      <Text size="sm">
        {reason === 'update'
          ? `${update_info.label}${update_info.is_mandatory ? ' (mandatory)' : ''}: ${kind}${formatSize(update_info.package_size)}.`
          : reasons[reason]}
      </Text>
      {rollout && (
        <Text size="sm">
          {rollout.label} is rolled out to {rollout.percent}% of devices.{' '}
          {rollout.place === undefined
            ? 'Devices without an ID are not part of a rollout.'
            : `This device has rollout position ${rollout.place}, so it is ${rollout.is_included ? 'included' : 'not included'}.`}
        </Text>
      )}
    </Alert>
  );
}
