"""Checks the files of packaging/ without a network and without building: versions and lists of packages agree, the vcpkg
port and the Conan recipe pass options that CMake has, the scripts refuse bad options.

    packaging.py
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / 'packaging'
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def find(pattern, path):
    """What the group of the pattern matches in the file; every file checked here must match."""
    found = re.search(pattern, read(path), re.DOTALL | re.MULTILINE)
    if not found:
        sys.exit(f'{path} has nothing that matches {pattern}')
    return found[1]


# ---- versions -----------------------------------------------------------------------------------------------------------

VERSION = find(r'^project\(NDForge VERSION (\S+)', 'CMakeLists.txt')
OWN_POM = r'<artifactId>(?:ndforge|nd4j-ndforge)</artifactId>\s*<version>([^<]*)</version>'
OTHER_VERSIONS = [
    ('packaging/vcpkg/ndforge/vcpkg.json', r'"version-semver": "([^"]*)"'),
    ('bindings/python/pyproject.toml', r'^version = "([^"]*)"'),
    ('bindings/python/ndforge/__init__.py', r"^__version__ = '([^']*)'"),
    ('bindings/java/pom.xml', OWN_POM),
    ('bindings/nd4j/pom.xml', OWN_POM),
    ('examples/java/pom.xml', OWN_POM),
    ('examples/nd4j/pom.xml', OWN_POM),
    ('examples/spark/pom.xml', OWN_POM),
    ('docs/java.md', OWN_POM),
    ('docs/nd4j.md', OWN_POM),
]


def check_versions():
    for path, pattern in OTHER_VERSIONS:
        version = find(pattern, path)
        check(version == VERSION, f'{path} has version {version}, CMakeLists.txt has {VERSION}')


# ---- what CMake knows ---------------------------------------------------------------------------------------------------


def cmake_options():
    files = [ROOT / 'CMakeLists.txt', *(ROOT / 'cmake').glob('*.cmake')]
    text = '\n'.join(file.read_text(encoding='utf-8') for file in files)
    return set(re.findall(r'^ *(?:option|find_program|find_path)\((\w+)', text, re.MULTILINE) +
               re.findall(r'^ *set\((\w+) [^)]* CACHE ', text, re.MULTILINE))


# ---- lists of packages --------------------------------------------------------------------------------------------------

# Debian's packages that a vcpkg port replaces. The others are tools, which vcpkg expects on the machine.
PORTS = {'libxsimd-dev': ['xsimd'], 'libopenblas-openmp-dev': ['openblas'], 'liblapacke-dev': ['lapack'], 'libfmt-dev': ['fmt'],
         'libcli11-dev': ['cli11'], 'nlohmann-json3-dev': ['nlohmann-json'], 'zlib1g-dev': ['zlib'], 'libre2-dev': ['re2'],
         'libutf8proc-dev': ['utf8proc'], 'flatbuffers-compiler': ['flatbuffers'], 'libflatbuffers-dev': ['flatbuffers'],
         'libdnnl-dev': ['onednn'], 'libhwy-dev': ['highway']}
TOOLS = {'cmake', 'ninja-build', 'g++', 'pkg-config', 'binutils'}


def build_packages():
    return find(r'^readonly packages=\((.*?)\)', 'buildnativeoperations.sh').split()


def check_packages():
    needed = build_packages()
    listed = find(r'apt-get install (cmake (?:[^\n]*\\\n)*[^\n]*)', 'docs/install.md').replace('\\', '').split()
    check(sorted(listed) == sorted(needed), 'docs/install.md lists other packages than buildnativeoperations.sh: ' +
          ' '.join(sorted(set(listed) ^ set(needed))))

    manifest = json.loads(read('packaging/vcpkg/ndforge/vcpkg.json'))
    groups = [manifest, *manifest['features'].values()]
    names = {d if isinstance(d, str) else d['name'] for group in groups for d in group['dependencies']}
    names -= {'vcpkg-cmake', 'vcpkg-cmake-config'}
    expected = {port for package in [*needed, 'libdnnl-dev', 'libhwy-dev'] if package not in TOOLS
                for port in PORTS.get(package, [package + ' (which has no port in packaging.py)'])}
    check(names == expected, f'vcpkg.json and buildnativeoperations.sh need different packages: {sorted(names ^ expected)}')

    dockerfile = read('packaging/docker/Dockerfile')
    check('buildnativeoperations.sh --packaging' in dockerfile, 'the Dockerfile does not call buildnativeoperations.sh')
    installed = [word for line in re.findall(r'apt-get install(.*?)(?:&&|\n\n)', dockerfile, re.DOTALL) for word in
                 line.replace('\\', '').split() if not word.startswith('-') and not word.startswith('Dpkg::')]
    check(installed == ['/tmp/package/ndforge_*.deb'], f'the Dockerfile installs more than the package: {installed}')

    # What the packages need at run time.
    script = set(find(r'^readonly run_time_packages=\((.*?)\)', 'packaging/build_all.sh').split())
    page = set(find(r'apt-get install (libgomp1 [^\n]*)', 'docs/install.md').split())
    rules = set(find(r'PACKAGE_DEPENDS "(libc6, [^"]*)"', 'cmake/Packaging.cmake').split(', '))
    rules -= {'libc6', 'libstdc++6'}  # every program in C++ has them
    check(script == page, f'build_all.sh and docs/install.md: {sorted(script ^ page)}')
    extra = {re.sub(r'\d+$', '', name) for name in script - rules}
    check(rules <= script and extra <= {'libdnnl', 'libhwy'}, f'build_all.sh and Packaging.cmake: {sorted(script ^ rules)}')


# ---- vcpkg --------------------------------------------------------------------------------------------------------------

IDENTIFIER = re.compile(r'[a-z0-9]+(-[a-z0-9]+)*')


def check_dependencies(where, dependencies):
    for dependency in dependencies:
        entry = {'name': dependency} if isinstance(dependency, str) else dependency
        unknown = set(entry) - {'name', 'host', 'features', 'default-features', 'platform', 'version>='}
        check(not unknown, f'vcpkg.json, {where}: dependencies have no fields {sorted(unknown)}')
        check(IDENTIFIER.fullmatch(entry.get('name', '')), f'vcpkg.json, {where}: {dependency} has no valid name')


def check_manifest():
    manifest = json.loads(read('packaging/vcpkg/ndforge/vcpkg.json'))
    unknown = set(manifest) - {'name', 'version-semver', 'description', 'license', 'supports', 'dependencies',
                               'default-features', 'features'}
    check(not unknown, f'vcpkg.json has unexpected fields {sorted(unknown)}')
    check(manifest['name'] == 'ndforge' and (PACKAGING / 'vcpkg' / manifest['name']).is_dir(),
          'the name of the port is not that of its folder')
    check(re.fullmatch(r'\d+\.\d+\.\d+', manifest['version-semver']), 'vcpkg.json: the version is not a semantic one')
    check(re.fullmatch(r'[a-z0-9 &|!()]+', manifest['supports']), 'vcpkg.json: supports is not an expression of platforms')
    check_dependencies('dependencies', manifest['dependencies'])
    for name, feature in manifest['features'].items():
        check(IDENTIFIER.fullmatch(name) and name not in ('core', 'default'), f'vcpkg.json: no valid feature name: {name}')
        check(feature.get('description'), f'vcpkg.json: the feature {name} has no description')
        check(set(feature) <= {'description', 'dependencies', 'supports', 'license'}, f'vcpkg.json: fields of {name}')
        check_dependencies(name, feature.get('dependencies', []))
    missing = set(manifest['default-features']) - set(manifest['features'])
    check(not missing, f'vcpkg.json: default features that do not exist: {sorted(missing)}')
    return list(manifest['features'])


def check_portfile(features):
    known = cmake_options() | {'BLA_VENDOR'}
    for linkage, chosen in (('dynamic', features), ('static', [])):
        with tempfile.TemporaryDirectory() as work:
            run = subprocess.run(['cmake', f'-DPORT_FOLDER={PACKAGING / "vcpkg" / "ndforge"}', '-DFEATURES=' + ';'.join(chosen),
                                  f'-DVCPKG_LIBRARY_LINKAGE={linkage}', f'-DWORK={work}', '-P',
                                  ROOT / 'tests_cpu' / 'scripts' / 'vcpkg_functions.cmake'], capture_output=True, text=True)
        if run.returncode:
            failures.append(f'the portfile does not run with {linkage} linkage and the features {chosen}:\n{run.stderr}')
            continue
        options = dict(re.findall(r'^option -D(\w+)=(.*)$', run.stderr, re.MULTILINE))
        check(set(options) <= known, f'the portfile sets options that CMake has not: {sorted(set(options) - known)}')
        check(options.get('SD_LIBRARY_TYPE') == linkage, f'the portfile sets SD_LIBRARY_TYPE to {options.get("SD_LIBRARY_TYPE")}')
        for option in ('SD_BUILD_CLI', 'SD_USE_ONEDNN', 'SD_USE_HIGHWAY'):
            expected = 'ON' if chosen else 'OFF'
            check(options.get(option) == expected, f'the portfile sets {option} to {options.get(option)}, not {expected}')


# ---- Conan --------------------------------------------------------------------------------------------------------------


class Toolchain:
    """Stands for Conan's CMakeToolchain."""
    made = None

    def __init__(self, recipe, generator):
        self.cache_variables = {}
        self.blocks = types.SimpleNamespace(remove=lambda name: None)
        Toolchain.made = self

    def generate(self):
        pass


class Environment:
    """Stands for Conan's Environment."""

    def define(self, name, value):
        pass

    def vars(self, recipe):
        return types.SimpleNamespace(save_script=lambda name: None)


def load_recipe():
    """The class of the recipe, with stand-ins for what it imports from Conan, which need not be installed."""

    def module(name, **members):
        sys.modules[name] = made = types.ModuleType(name)
        made.__dict__.update(members)

    module('conan', ConanFile=object)
    module('conan.errors', ConanInvalidConfiguration=ValueError)
    module('conan.tools')
    module('conan.tools.build', check_min_cppstd=None)
    module('conan.tools.cmake', CMake=None, CMakeToolchain=Toolchain, cmake_layout=None)
    module('conan.tools.env', Environment=Environment)
    module('conan.tools.files', copy=None, rmdir=None, load=lambda recipe, path: pathlib.Path(path).read_text(encoding='utf-8'))
    module('conan.tools.system')
    module('conan.tools.system.package_manager', Apt=None)
    space = {}
    exec(compile(read('packaging/conan/conanfile.py'), 'conanfile.py', 'exec'), space)
    return space['NDForge']


def check_conan():
    recipe_class = load_recipe()
    check(not hasattr(recipe_class, 'version'), 'the Conan recipe has a version of its own')
    for shared in (True, False):
        recipe = recipe_class()
        recipe.recipe_folder = str(PACKAGING / 'conan')
        recipe.source_folder = str(ROOT)
        recipe.options = types.SimpleNamespace(**{**recipe.default_options, 'shared': shared})
        recipe.set_version()
        check(recipe.version == VERSION, f'the Conan recipe finds version {recipe.version}')
        recipe.generate()
        variables = Toolchain.made.cache_variables
        own = {name for name in variables if not name.startswith('CMAKE_')}
        check(own <= cmake_options(), f'the Conan recipe sets options that CMake has not: {sorted(own - cmake_options())}')
        expected = 'dynamic' if shared else 'static'
        check(variables['SD_LIBRARY_TYPE'] == expected, f'the Conan recipe builds {variables["SD_LIBRARY_TYPE"]}')
    # In Conan's cache the script with the list is beside the recipe, as in the folder ROOT.
    for folder in (PACKAGING / 'conan', ROOT):
        recipe.recipe_folder = str(folder)
        packages = recipe._system_packages()
        check(packages == [*build_packages(), 'libdnnl-dev', 'libhwy-dev'], f'the Conan recipe needs {packages}')
    recipe.options.with_command = recipe.options.with_onednn = recipe.options.with_highway = False
    packages = recipe._system_packages()
    check(packages == [name for name in build_packages() if name != 'libcli11-dev'], f'without options it needs {packages}')


# ---- the script ---------------------------------------------------------------------------------------------------------

REFUSED = [
    (['--no-such'], "unknown option '--no-such'"),
    (['deb'], "unknown option 'deb'"),
    (['--only'], '--only needs a value'),
    (['--only', ''], '--only needs a value'),
    (['--only', ' '], 'names no package'),
    (['--only', 'deb,rpm'], "package 'rpm' is not one of"),
    (['--built', str(PACKAGING)], 'is not a build of NDForge'),
    (['--out', '/dev/null/folder'], 'cannot be made'),
]


def check_script():
    script = PACKAGING / 'build_all.sh'
    for options, text in REFUSED:
        run = subprocess.run([script, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        check(run.returncode == 2 and text in run.stderr and run.stderr.count('build_all.sh:') == 1 and not run.stdout,
              f'build_all.sh {options}: exit status {run.returncode}, {run.stdout}{run.stderr}')
    run = subprocess.run([script, '--help'], capture_output=True, text=True, cwd='/')
    check(run.returncode == 0, 'build_all.sh --help fails')
    for word in ('--out', '--only', '--built', '--base', 'deb', 'tgz', 'wheel', 'conan', 'vcpkg', 'docker'):
        check(word in run.stdout, f'build_all.sh --help does not mention {word}')
    # A kind that nothing on the PATH can make is left out, which is no failure.
    with tempfile.TemporaryDirectory() as out:
        path = os.pathsep.join(folder for folder in os.environ['PATH'].split(os.pathsep) if not shutil.which('vcpkg', path=folder))
        run = subprocess.run([script, '--only', 'vcpkg', '--out', out], capture_output=True, text=True,
                             env={**os.environ, 'PATH': path})
        check(run.returncode == 0 and 'left out: vcpkg is not on the PATH' in run.stdout,
              f'build_all.sh --only vcpkg: exit status {run.returncode}, {run.stdout}{run.stderr}')
    if shutil.which('shellcheck'):
        run = subprocess.run(['shellcheck', script, ROOT / 'buildnativeoperations.sh'], capture_output=True, text=True)
        check(run.returncode == 0, f'shellcheck:\n{run.stdout}')


check_versions()
check_packages()
check_portfile(check_manifest())
check_conan()
check_script()
for failure in failures:
    print(failure)
sys.exit(bool(failures))
