import * as forms from './auth-forms.ts'
import { ldap } from './ldap.tsx'
import { SettingsPage } from './SettingsPage.tsx'

export default function Auth() {
  return (
    <SettingsPage
      tabs={[
        { key: 'Basic', title: 'groupBasic', form: forms.basic },
        { key: 'LDAP', title: 'settingLdap', form: ldap },
        { key: 'CAS', title: 'settingCas', form: forms.cas },
        { key: 'Passkey', title: 'settingPasskeys', form: forms.passkey },
        { key: 'OIDC', title: 'settingOidc', license: true, form: forms.oidc },
        { key: 'SAML2', title: 'settingSaml2', license: true, form: forms.saml2 },
        { key: 'OAuth2', title: 'settingOauth2', license: true, form: forms.oauth2 },
        { key: 'WeCom', title: 'settingWecom', license: true, form: forms.wecom },
        { key: 'DingTalk', title: 'settingDingtalk', license: true, form: forms.dingtalk },
        { key: 'FeiShu', title: 'settingFeishu', license: true, form: forms.feishu },
        { key: 'Radius', title: 'settingRadius', license: true, form: forms.radius },
      ]}
    />
  )
}
