import { useForm } from '@mantine/form';

/** The problems of a form, by field. The first one is shown beside the disabled button. */
type Problems = Readonly<Record<string, string | false | undefined>>;

/** A form for an Action: spread `action` into it. The form starts anew whenever the dialog opens. */
export function useActionForm<Values extends object>(initial: () => Values, check: (values: Values) => Problems = () => ({})) {
  const form = useForm<Values>({ initialValues: initial() });
  const problem = Object.values(check(form.values)).find((each) => typeof each === 'string');
  const onOpen = (): void => {
    form.setInitialValues(initial());
    form.reset();
  };
  const field = <Name extends keyof Values & string>(name: Name) => ({
    ...form.getInputProps(name as never),
    value: form.values[name],
  });
  return { ...form, field, action: { ready: problem === undefined, notReady: problem, onOpen } };
}

/** A form of an Action that requires a reason. */
export const useReasonForm = () =>
  useActionForm(
    () => ({ reason: '' }),
    ({ reason }) => ({ reason: reason.trim() === '' && 'Enter a reason' }),
  );

/** Text without surrounding spaces; undefined if nothing is left. */
export const trimToUndefined = (typed: string): string | undefined => (typed.trim() === '' ? undefined : typed.trim());
