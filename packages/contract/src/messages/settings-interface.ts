/** Texts of the interface settings: title, theme and pictures. */
import { defineMessages } from '../messages.ts'

export const interfaceMessages = defineMessages({
  login_title: { en: 'Title', zh: '标题', ja: 'タイトル' },
  theme: { en: 'Theme', zh: '主题', ja: 'テーマ' },
  login_image: { en: 'Picture of the sign-in page', zh: '登录页图片', ja: 'サインイン画面の画像' },
  favicon: { en: 'Icon of the browser tab', zh: '网站图标', ja: 'ブラウザータブのアイコン' },
  logo_index: { en: 'Logo of the console', zh: '控制台 Logo', ja: 'コンソールのロゴ' },
  logo_logout: { en: 'Logo of the sign-in page', zh: '登录页 Logo', ja: 'サインイン画面のロゴ' },
  picture: { en: 'Picture', zh: '图片', ja: '画像' },
  picture_type: {
    en: 'Choose a PNG, JPEG, GIF, WebP or ICO picture. SVG is not accepted, because it can contain scripts.',
    zh: '请选择 PNG、JPEG、GIF、WebP 或 ICO 图片。不接受 SVG，因为其中可能包含脚本。',
    ja: 'PNG、JPEG、GIF、WebP、ICO の画像を選択してください。SVG はスクリプトを含むことがあるため使用できません。',
  },
  picture_size: {
    en: 'The picture is too large: at most {max} KB and {pixels} x {pixels} pixels.',
    zh: '图片过大：最大 {max} KB，{pixels} x {pixels} 像素。',
    ja: '画像が大きすぎます：{max} KB、{pixels} x {pixels} ピクセルまでです。',
  },
  restored: { en: 'The interface is as delivered again.', zh: '界面已恢复默认设置。', ja: '画面を既定に戻しました。' },
})

export const themeLabels = defineMessages({
  classic_green: { en: 'Classic green', zh: '经典绿', ja: 'クラシックグリーン' },
  ocean_blue: { en: 'Ocean blue', zh: '海洋蓝', ja: 'オーシャンブルー' },
  deep_purple: { en: 'Deep purple', zh: '深邃紫', ja: 'ディープパープル' },
  warm_red: { en: 'Warm red', zh: '暖红', ja: 'ウォームレッド' },
})
