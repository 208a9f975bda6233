import { Button, Collapse, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMay } from '../../session/session';
import { AccountChoice } from '../../shared/account-choice';
import { ATTENTION_CODES, isAboutMoney } from '../../shared/attention';
