/**
 * Texts of remote applications, in app `terminal`.
 */
import { defineMessages } from '../messages.ts'

export const appletMessages = defineMessages({
  package_unreadable: {
    en: 'The file is not a ZIP archive, or it is damaged. Choose the package of a remote application.',
    zh: '该文件不是 ZIP 压缩包，或已损坏。请选择远程应用的安装包。',
    ja: 'ファイルが ZIP アーカイブではないか、壊れています。リモートアプリのパッケージを選択してください。',
  },
  package_encrypted: {
    en: 'The package is encrypted. Upload it without a password.',
    zh: '安装包已加密。请上传没有密码的安装包。',
    ja: 'パッケージが暗号化されています。パスワードなしのパッケージをアップロードしてください。',
  },
  package_unsafe_path: {
    en: 'The package has a path that is not allowed: {path}. Paths have to stay inside its folder and be valid on Windows.',
    zh: '安装包中含有不允许的路径：{path}。路径必须位于其文件夹内，并且在 Windows 上有效。',
    ja: 'パッケージに許可されないパスがあります：{path}。パスはフォルダー内に収まり、Windows で有効でなければなりません。',
  },
  package_link: {
    en: 'The package contains a link or a special file: {path}. Replace it with an ordinary file.',
    zh: '安装包中含有链接或特殊文件：{path}。请替换为普通文件。',
    ja: 'パッケージにリンクまたは特殊ファイルがあります：{path}。通常のファイルに置き換えてください。',
  },
  package_twice: {
    en: 'The package contains {path} twice. Windows does not tell upper and lower case apart.',
    zh: '安装包中重复包含 {path}。Windows 不区分大小写。',
    ja: 'パッケージに {path} が重複しています。Windows は大文字と小文字を区別しません。',
  },
  package_too_large: {
    en: 'The package, or one of its description files, is larger than {max} MB when unpacked.',
    zh: '安装包或其中的描述文件解压后超过 {max} MB。',
    ja: 'パッケージまたはその記述ファイルが、展開すると {max} MB を超えます。',
  },
  package_too_many: {
    en: 'The package contains more than {max} files.',
    zh: '安装包中的文件超过 {max} 个。',
    ja: 'パッケージのファイル数が {max} を超えています。',
  },
  package_one_folder: {
    en: 'The package must contain exactly one folder with all files in it.',
    zh: '安装包必须只包含一个文件夹，所有文件都位于其中。',
    ja: 'パッケージには、すべてのファイルを含むフォルダーが 1 つだけ必要です。',
  },
  package_folder_name: {
    en: 'The folder in the package is called {folder}. It must have the name of the file without .zip, or that of the application: {name}.',
    zh: '安装包中的文件夹名为 {folder}。它必须与不含 .zip 的文件名或应用名称 {name} 相同。',
    ja: 'パッケージ内のフォルダー名は {folder} です。.zip を除いたファイル名、またはアプリ名 {name} と同じにしてください。',
  },
  package_missing: {
    en: 'The package has no {file}. Required are manifest.yml, setup.yml and icon.png.',
    zh: '安装包缺少 {file}。必须包含 manifest.yml、setup.yml 和 icon.png。',
    ja: 'パッケージに {file} がありません。manifest.yml、setup.yml、icon.png が必要です。',
  },
  package_yaml: {
    en: '{file} is not a valid YAML file. Correct it; aliases are not supported.',
    zh: '{file} 不是有效的 YAML 文件。请修正，不支持别名。',
    ja: '{file} は有効な YAML ファイルではありません。修正してください。エイリアスは使用できません。',
  },
  package_key: {
    en: '{file}: the value of {key} is not valid.',
    zh: '{file}：{key} 的值无效。',
    ja: '{file}：{key} の値が正しくありません。',
  },
  package_name: {
    en: 'manifest.yml: name is required and may consist of letters, digits, - and _ (at most 128).',
    zh: 'manifest.yml：必须填写 name，且只能包含字母、数字、- 和 _（最多 128 个字符）。',
    ja: 'manifest.yml：name は必須で、英数字と - と _ だけを使用できます（128 文字まで）。',
  },
  package_setup_type: {
    en: 'setup.yml: type must be exe, zip, msi or manual.',
    zh: 'setup.yml：type 必须是 exe、zip、msi 或 manual。',
    ja: 'setup.yml：type は exe、zip、msi、manual のいずれかにしてください。',
  },
  package_icon: {
    en: 'icon.png must be a PNG picture of at most 1024 x 1024 pixels and 256 KB.',
    zh: 'icon.png 必须是不超过 1024 x 1024 像素、256 KB 的 PNG 图片。',
    ja: 'icon.png は 1024 x 1024 ピクセル、256 KB 以下の PNG 画像にしてください。',
  },
  package_platform: {
    en: 'platform.yml is not valid: category must be custom, and type, name and protocols must follow the rules of platforms. {reason}',
    zh: 'platform.yml 无效：category 必须为 custom，type、name 和 protocols 必须符合平台规则。{reason}',
    ja: 'platform.yml が正しくありません。category は custom とし、type、name、protocols はプラットフォームの規則に従ってください。{reason}',
  },
  package_platform_taken: {
    en: 'platform.yml names the platform {name}, which does not belong to this application. Choose another name.',
    zh: 'platform.yml 指定的平台 {name} 不属于此应用。请使用其他名称。',
    ja: 'platform.yml が指定するプラットフォーム {name} はこのアプリのものではありません。別の名前にしてください。',
  },
  package_enterprise: {
    en: 'This application is for the enterprise edition. Import a license first.',
    zh: '此应用仅适用于企业版。请先导入许可证。',
    ja: 'このアプリはエンタープライズ版専用です。先にライセンスをインポートしてください。',
  },
  applet_exists: {
    en: 'The application {name} exists. To replace it, upload the package as an update.',
    zh: '应用 {name} 已存在。如需替换，请以更新方式上传。',
    ja: 'アプリ {name} は既に存在します。置き換えるには、更新としてアップロードしてください。',
  },
  applet_without_package: {
    en: 'This application has no package. Upload one.',
    zh: '此应用没有安装包，请上传。',
    ja: 'このアプリにはパッケージがありません。アップロードしてください。',
  },
})
